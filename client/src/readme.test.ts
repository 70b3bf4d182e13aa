import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { testCoupon } from '@tillside/server/testing/factories/coupon'
import { testKey } from '@tillside/server/testing/factories/key'
import { testMember } from '@tillside/server/testing/factories/member'
import { givePoints } from '@tillside/server/testing/factories/points'
import { testShop } from '@tillside/server/testing/factories/shop'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..')
const run = promisify(execFile)

test('the examples of README.md run in their order, with the built package', async () => {
  await run(process.execPath, ['--no-warnings', 'build.mjs'], { cwd: folder })
  const s = await testShop()
  const baseUrl = `${await s.app.listen({ port: 0 })}${integrationBase}`
  const { key } = await testKey(s, { stores: ['S1'] })
  const member = await testMember(s, { countryCode: '1', mobile: '2015550123' })
  await givePoints(s, member, 300)
  await testCoupon(s, member)

  const page = readFileSync(join(folder, 'README.md'), 'utf8')
  const examples = [...page.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code ?? '')
  expect(examples).toHaveLength(4)
  const work = join(folder, 'dist/examples')
  mkdirSync(work, { recursive: true })
  // A package may import itself by its name.
  writeFileSync(join(work, 'readme.mjs'), examples.join('\n'))
  const env = { ...process.env, TILLSIDE: baseUrl, KEY: key }
  const { stdout } = await run(process.execPath, [join(work, 'readme.mjs')], { env })
  rmSync(work, { recursive: true })
  expect(stdout).toMatch(
    /^Mei has 300 points\nBirthday treat is USED\nno such member\n\d{4}-\S+ 300\n$/,
  )
  await s.close()
})
