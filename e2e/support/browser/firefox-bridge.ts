#!/usr/bin/env node
// Debian's Firefox, as the runner may start it. Two of the runner's commands are not for it, and
// are mended on their way; everything else passes. docs/decisions/0060 says why.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'
import * as z from 'zod/mini'
import { findFirefox } from './firefox.ts'

const Command = z.looseObject({ id: z.int(), method: z.string(), params: z.looseObject({}) })

const firefox = spawn(findFirefox() ?? 'firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
})
// Firefox's output passes unchanged, except for its address, which the bridge's replaces.
createInterface({ input: firefox.stderr }).on('line', (line) => {
  const [, head, address] = /^(WebDriver BiDi listening on )(ws:\/\/\S+)$/.exec(line) ?? []
  if (head === undefined || address === undefined) process.stderr.write(`${line}\n`)
  else bridgeTo(address, (port) => process.stderr.write(`${head}ws://127.0.0.1:${port}\n`))
})
firefox.once('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
firefox.once('exit', (code) => process.exit(code ?? 0))
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => firefox.kill(signal))
}

function bridgeTo(address: string, ready: (port: number) => void): void {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.once('listening', () => {
    const at = server.address()
    if (at !== null && typeof at === 'object') ready(at.port)
  })
  server.on('connection', (runner, request) => {
    const browser = new WebSocket(`${address}${request.url ?? ''}`)
    const opened = new Promise((done) => browser.once('open', done))
    runner.on('message', (data: Buffer) => {
      const command = Command.parse(JSON.parse(data.toString()))
      // It does not know this one, and the runner would give up where it is refused.
      if (command.method === 'emulation.setMediaFeaturesOverride') {
        runner.send(JSON.stringify({ type: 'success', id: command.id, result: {} }))
        return
      }
      // Windows take the focus from each other whenever one is closed, and are slow to open.
      if (command.method === 'browsingContext.create') command.params['type'] = 'tab'
      void opened.then(() => browser.send(JSON.stringify(command)))
    })
    browser.on('message', (data: Buffer) => runner.send(data.toString()))
    browser.on('error', () => runner.close())
    browser.on('close', () => runner.close())
    runner.on('close', () => browser.close())
  })
}
