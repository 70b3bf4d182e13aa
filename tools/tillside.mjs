#!/usr/bin/env node
// The command line. The program needs the Node that the project brings along; this file runs on any
// that can start npm, and hands over.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as modules from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
const compiled = new URL('../node_modules/.cache/tillside', import.meta.url)
const words = process.argv.slice(2)

if (!existsSync(node)) {
  process.stderr.write('Tillside is not installed yet: run npm install first.\n')
  process.exitCode = 1
} else if (Number(process.versions.node.split('.')[0]) >= 24) {
  // Compiled code is kept, as `npm start` keeps it. Without it, half of the time in which a command
  // starts is spent on stripping types. A user who may not write there goes without.
  modules.enableCompileCache(fileURLToPath(compiled))
  const { runCommand } = await import('../server/src/cli.ts')
  process.exitCode = await runCommand(words)
} else {
  const cli = fileURLToPath(new URL('../server/src/cli.ts', import.meta.url))
  const child = spawn(node, [cli, ...words], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal === null ? 1 : constants.signals[signal])
  })
}
