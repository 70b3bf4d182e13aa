import { getDictionary } from '@tillside/contract/company'
import { languages } from '@tillside/contract/wire/language'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, logIn, ok, testCompany, type TestCompany } from '../../testing/factories/company.ts'

let company: TestCompany
let token: string
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
})
afterAll(() => company.close())

const within = async (parent: string, language = 'zh-TW') =>
  (await ok(company, getDictionary, { types: ['region'], parent }, { token, language })).region ??
  []
const namesWithin = async (parent: string, language = 'zh-TW') =>
  (await within(parent, language)).map(({ name }) => name)
const below = async (parent: string, language = 'zh-TW') =>
  (
    await Promise.all((await within(parent)).map(({ code }) => within(String(code), language)))
  ).flat()

describe('countries', () => {
  test('are named in the caller’s language, in the order of the names', async () => {
    for (const language of languages) {
      const answer = await ok(company, getDictionary, { types: ['country'] }, { token, language })
      const countries = answer.country ?? []
      expect(countries.length).toBeGreaterThan(230)
      expect(new Set(countries.map(({ code }) => code)).size).toBe(countries.length)
      const names = countries.map(({ name }) => name)
      expect(names).toEqual([...names].sort(new Intl.Collator(language).compare))
    }
    const answer = await ok(
      company,
      getDictionary,
      { types: ['country'] },
      { token, language: 'zh-HK' },
    )
    const names = new Map((answer.country ?? []).map(({ code, name }) => [code, name]))
    expect(['HK', 'MO', 'TW', 'US'].map((code) => names.get(code))).toEqual([
      '香港',
      '澳門',
      '台灣',
      '美國',
    ])
  })
})

describe('regions', () => {
  test('of Hong Kong are its three parts and eighteen districts', async () => {
    expect(await within('HK', 'zh-HK')).toEqual([
      { code: '810100', name: '香港島', level: 'city' },
      { code: '810200', name: '九龍', level: 'city' },
      { code: '810300', name: '新界', level: 'city' },
    ])
    const districts = await below('HK', 'zh-HK')
    expect(districts).toHaveLength(18)
    expect(new Set(districts.map(({ name }) => name)).size).toBe(18)
    expect(await namesWithin('810200', 'zh-HK')).toEqual([
      '九龍城區',
      '油尖旺區',
      '深水埗區',
      '黃大仙區',
      '觀塘區',
    ])
    expect(await namesWithin('810200', 'en-US')).toContain('Yau Tsim Mong')
  })

  test('of Macau are its parishes', async () => {
    expect(await namesWithin('MO', 'zh-HK')).toEqual(['澳門半島', '離島'])
    expect((await below('MO', 'zh-HK')).map(({ name }) => name)).toEqual(
      '花地瑪堂區 花王堂區 望德堂區 大堂區 風順堂區 嘉模堂區 路氹填海區 聖方濟各堂區'.split(' '),
    )
  })

  test('of Taiwan are 22 counties and cities, and their 368 townships and districts', async () => {
    const counties = await within('TW')
    expect(counties).toHaveLength(22)
    expect(counties.every(({ level }) => level === 'city')).toBe(true)
    const townships = await below('TW')
    expect(townships).toHaveLength(368)
    // Each has the kind that it has had since the last reform.
    expect(townships.filter(({ name }) => !/[區鄉鎮市]$/.test(name))).toEqual([])
    expect(await namesWithin('711400')).toEqual(
      '中壢區 平鎮區 楊梅區 新屋區 觀音區 桃園區 龜山區 八德區 大溪區 大園區 蘆竹區 龍潭區 復興區'.split(
        ' ',
      ),
    )
    const names = new Set(townships.map(({ name }) => name))
    // One simplified character can have several traditional ones.
    for (const name of '後壁區 后里區 後龍鎮 苑裡鎮 埔里鎮 鹿谷鄉 臺西鄉 斗六市 松山區 恆春鎮 朴子市'.split(
      ' ',
    )) {
      expect([name, names.has(name)]).toEqual([name, true])
    }
    expect(await namesWithin('711100')).toContain('金山區')
    expect(await namesWithin('711100', 'en-US')).toContain('Tamsui District')
  })

  test('of the mainland go down three levels, without Hong Kong, Macau and Taiwan', async () => {
    const provinces = await within('CN', 'zh-CN')
    expect(provinces).toHaveLength(31)
    expect(provinces[0]).toEqual({ code: '110000', name: '北京市', level: 'province' })
    expect(await within('440000', 'zh-CN')).toContainEqual({
      code: '440300',
      name: '深圳市',
      level: 'city',
    })
    expect(await within('440300', 'zh-CN')).toContainEqual({
      code: '440305',
      name: '南山区',
      level: 'district',
    })
    expect(await namesWithin('350200')).toContain('湖里區')
    expect(await namesWithin('CN', 'en-US')).toContain('Guangdong')
    // It has no official English name.
    expect(await namesWithin('440000', 'en-US')).toContain('深圳市')
  })

  test('have no simplified character left in Traditional Chinese', async () => {
    const regions = [...(await below('CN')), ...(await below('TW')), ...(await below('HK'))]
    const text = regions.map(({ name }) => name).join('')
    expect(text.match(/[东广区县庄乡湾龙岛门马鸟云宁辽贵陕苏沈阳汉长张齐兰]/gu)).toBeNull()
  })

  test('are unknown in other countries, and need a parent', async () => {
    expect(await within('US')).toEqual([])
    expect(await within('999999')).toEqual([])
    const missing = await call(company, getDictionary, { types: ['region'] }, { token })
    expect(missing.code).toBe(422)
    expect(missing.data).toMatchObject({ fields: [{ path: 'parent', reason: 'required' }] })
  })
})
