import type { Language } from '@tillside/contract/wire/language'

type Person = { firstName: string; lastName: string; gender: 'F' | 'M' }

const names: Record<Language, { last: string; F: string; M: string }> = {
  'en-US': {
    last: 'Archer Bell Carver Dale Ember Frost Glover Hazel Inman Jasper Keller Lark',
    F: 'Ada Bea Clara Dora Edith Flora',
    M: 'Abel Boris Cyril Dexter Edgar Felix',
  },
  'zh-CN': {
    last: '王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙',
    F: '晓燕 雅婷 静怡 佳怡 思琪 慧敏',
    M: '志强 建国 文博 家豪 俊杰 天佑',
  },
  'zh-HK': {
    last: '陳 黃 李 張 梁 林 劉 吳 何 鄭 蔡 葉',
    F: '嘉欣 詠詩 穎琳 曉彤 慧儀 佩珊',
    M: '志明 家豪 俊傑 偉強 嘉偉 子軒',
  },
  'zh-TW': {
    last: '陳 林 黃 張 李 王 吳 劉 蔡 楊 許 鄭',
    F: '佳蓉 雅婷 怡君 淑芬 欣怡 詩涵',
    M: '家豪 志明 俊宏 建宏 冠宇 承恩',
  },
}

/** The name of a fictitious member, in a language of the company; `index` begins at 0. */
export function personOf(language: Language, index: number): Person {
  const { last, F, M } = names[language]
  const gender = index % 2 === 0 ? 'F' : 'M'
  const first = (gender === 'F' ? F : M).split(' ')
  const family = last.split(' ')
  return {
    firstName: first[Math.floor(index / 2) % first.length] ?? '',
    lastName: family[(index * 5) % family.length] ?? '',
    gender,
  }
}

/**
 * The first digits of mobile numbers by calling code. Those of 1, 44 and 61 are reserved for
 * fiction (NANPA, Ofcom, ACMA); the others have the form of a mobile number. No message is sent to
 * any of them.
 */
const mobileStarts: Record<string, string> = {
  '1': '21255501',
  '44': '7700900',
  '61': '49157',
  '65': '8123',
  '81': '901234',
  '86': '131234600',
  '852': '512460',
  '853': '612460',
  '886': '9123460',
}
const mobileLengths: Record<string, number> = {
  '44': 10,
  '61': 9,
  '65': 8,
  '81': 10,
  '86': 11,
  '852': 8,
  '853': 8,
  '886': 9,
}

/** The national mobile number of a fictitious member; `index` is from 0 to 99. */
export function mobileOf(callingCode: string, index: number): string {
  const start = mobileStarts[callingCode] ?? '55501'
  return `${start}${String(index).padStart((mobileLengths[callingCode] ?? 10) - start.length, '0')}`
}
