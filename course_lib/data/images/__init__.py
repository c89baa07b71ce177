"""Pictures that come with a package, for attention that looks."""
