"""Seeds the demo project and the example project of expert studies through the services that the pages use."""
