package runs

// ToolVersion is the version of the tool that writes run folders.
const ToolVersion = "0.1.0"
