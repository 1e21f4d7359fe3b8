"""The style page: every component and element, and a work page on a workbench of its own, to look at and to test.

`python manage.py runserver 8810 --settings tests.browser.style.settings`, then /style/ and /style/work/.
"""
