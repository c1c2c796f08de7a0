# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""How Sphinx makes a site of the documentation; see build.py."""

project = "nncert"
copyright = "The nncert Authors"
extensions = ["myst_parser"]
root_doc = "docs/index"
html_theme = "alabaster"
html_theme_options = {
    "description": "certifies drivers of the Neural Networks HAL",
    "page_width": "1100px",
    "sidebar_width": "240px",
}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_copy_source = False
html_show_sphinx = False
# Links to headings, as everybody else makes their names.
myst_heading_anchors = 4
# Pages that other pages lead to need no place in the list.
suppress_warnings = ["toc.excluded", "myst.header"]
# What is shown in the language of specs, of shells and of Bazel is not to be read as Python.
highlight_language = "none"
