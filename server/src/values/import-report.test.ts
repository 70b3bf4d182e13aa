import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rejectedRows } from './import-report.ts'

test('in a file of rejected rows no cell is a formula, and numbers stay numbers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillside-rejected-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'rejected.csv')
  const rows = rejectedRows(file, ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  await rows.write(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', -5, '-5.25'])
  await rows.write(['=HYPERLINK("x","y")', 'a=1', '+5', '', '', '', ''])
  await rows.close()
  expect(await readFile(file, 'utf8')).toBe(
    "a,b,c,d,e,f,g\n'=1+1,'+cmd,'-2+3,'@SUM(A1),'\tx,-5,-5.25\n" +
      `"'=HYPERLINK(""x"",""y"")",a=1,+5,,,,\n`,
  )
})
