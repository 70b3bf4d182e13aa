import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

test('a hash verifies its own password only', async () => {
  const stored = await hashPassword('Counter#2026')
  expect(await verifyPassword('Counter#2026', stored)).toBe(true)
  expect(await verifyPassword('counter#2026', stored)).toBe(false)
  await expect(verifyPassword('Counter#2026', 'Counter#2026')).rejects.toThrow('cannot be read')
})

test('the program hashes with 19 MiB and two passes, unlike the tests', async () => {
  // The setup file of the tests lowers the cost, so another process is asked.
  const program = JSON.stringify(join(import.meta.dirname, 'password.ts'))
  const code = `const { hashPassword } = await import(${program})
    console.log(await hashPassword('Counter#2026'))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
  })
  expect(stdout).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword('Counter#2026', stdout.trim())).toBe(true)
})
