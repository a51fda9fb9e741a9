// The libraries of the page, whose own types are not checked.
declare module "@codemirror/*";
declare module "@lezer/*";
declare module "uplot";
declare module "cytoscape";
