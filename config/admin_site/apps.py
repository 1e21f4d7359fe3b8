from django.contrib.admin.apps import AdminConfig


class SignedInAdminConfig(AdminConfig):
    default_site = "config.admin_site.site.SignedInAdminSite"
