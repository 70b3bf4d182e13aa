// Imported first by what runs on the machine's own Node, so that a Node that is too old is named in
// one line, before it lacks a function.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Tillside needs Node 20.19 or newer; this is Node ${process.versions.node}.\n`,
  )
  process.exit(1)
}
