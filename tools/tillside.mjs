#!/usr/bin/env node
// The command line. The program needs the Node that the project brings along; this file runs on any
// that can start npm, and hands over.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const cli = new URL('../server/src/cli.ts', import.meta.url)
const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(cli.href)
} else if (!existsSync(node)) {
  process.stderr.write('Tillside is not installed yet: run npm install first.\n')
  process.exitCode = 1
} else {
  const child = spawn(node, [fileURLToPath(cli), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 1)
  })
}
