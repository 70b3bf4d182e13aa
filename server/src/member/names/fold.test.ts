import { expect, test } from 'vitest'
import { loadNameFolding } from './fold.ts'

test.each([
  ['Grace', 'grace'],
  ['GRACE', 'grace'],
  ['ｇｒａｃｅ', 'grace'],
  ['O’Neill', 'oneill'],
  ['Au-Yeung', 'auyeung'],
  ['Zoë', 'zoe'],
  ['陳美玲', '陈美玲'],
  ['歐陽', '欧阳'],
  ['衞', '卫'],
  [' 陈 美玲 ', '陈美玲'],
  ['\u202eGrace\u200b', 'grace'],
  ['🎂', ''],
])('%j is folded to %j', async (name, folded) => {
  const folding = await loadNameFolding()
  expect(folding.fold(name)).toBe(folded)
})

test.each([
  ['Grace', 'Lee', ['grace', 'lee', 'leegrace', 'gracelee']],
  ['美玲', '陳', ['美玲', '陈美玲', '美玲陈', 'cml', 'ml']],
  // The readings of a family name: Shan and not Dan, Ouyang.
  ['雄信', '單', ['雄信', '单雄信', '雄信单', 'sxx', 'xx']],
  ['志強', '歐陽', ['志强', '欧阳', '欧阳志强', '志强欧阳', 'oyzq', 'zq']],
  ['', '', []],
  ['玲', '', []],
])('%s %s has its keys', async (firstName, lastName, keys) => {
  const folding = await loadNameFolding()
  expect(folding.keysOf({ firstName, lastName })).toEqual(keys)
})

test('the beginning of a name is folded to the beginning of its key', async () => {
  const folding = await loadNameFolding()
  for (const name of ['乾隆皇帝', '鍾麗緹', '葉問', '范姜信宏', '后羿', '於陵子']) {
    const whole = folding.fold(name)
    Array.from(name).forEach((_, length) => {
      const beginning = folding.fold(Array.from(name).slice(0, length).join(''))
      expect(whole.startsWith(beginning)).toBe(true)
    })
  }
})
