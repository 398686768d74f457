"""How the Traced site is built: snippets are run, and what they printed becomes pages."""
