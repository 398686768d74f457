"""How long a site takes to build, beside the same site without this project's part. See README."""
