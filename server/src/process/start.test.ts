import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './config.ts'

test('a Node that is too old is named in one line', () => {
  const older = `data:text/javascript,Object.defineProperty(process, 'versions',
    { value: { ...process.versions, node: '18.20.8' } })`
  for (const program of ['tools/start.mjs', 'tools/setup.mjs']) {
    const words = ['--import', older.replaceAll('\n', ''), join(projectRoot, program)]
    const {
      status: code,
      stdout,
      stderr,
    } = spawnSync(process.execPath, words, {
      encoding: 'utf8',
    })
    const line = 'Tillside needs Node 20.19 or newer; this is Node 18.20.8.\n'
    expect([code, stdout, stderr]).toEqual([1, '', line])
  }
})
