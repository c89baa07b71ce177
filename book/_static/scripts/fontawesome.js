// Stands in for the theme's 1.5 MB of icon script; the icons come from its web font instead.
