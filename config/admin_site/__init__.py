"""The admin site behind the site's own sign-in."""
