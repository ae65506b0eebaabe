"""Configuration of the documentation."""
import os

project = "Harbour"
extensions = [
    "myst_parser",  # reads Markdown
    'sphinx_copybutton',
]
exclude_patterns = ["_build", "drafts/**"]
html_theme = os.environ.get("THEME", "furo")
