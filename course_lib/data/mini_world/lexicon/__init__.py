"""The words of the mini-world: tables of the open classes beside the modules that read them."""
