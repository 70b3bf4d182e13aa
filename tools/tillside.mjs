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
  // Keeps compiled code, as `npm start` does. Without it, half of a command's start is spent on
  // stripping types. Without permission to write there, the command still works.
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
