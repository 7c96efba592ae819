pytest_plugins = ["databases"]
