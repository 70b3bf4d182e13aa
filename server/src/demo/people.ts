import type { Random } from '../practice/random.ts'

type Gender = 'F' | 'M'
export type Name = { firstName: string; lastName: string; gender: Gender | null }

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

const western = {
  last: words(`Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Anderson
    Taylor Thomas Moore Jackson Martin Lee Thompson White Harris Clark Lewis Robinson Walker Young
    Allen King Wright Scott Nguyen Hill Green Adams Nelson Baker Rivera Campbell Mitchell Carter
    Roberts
    Kim O'Neill O'Brien McDonald Rossi Schwartz Patel Cohen Okafor Haddad`),
  F: words(`Emma Olivia Sophia Isabella Mia Charlotte Amelia Harper Evelyn Abigail Emily Ella Grace
    Chloe Victoria Nora Hazel Zoe Lily Hannah Leah Audrey Maya Naomi Ruth Ivy`),
  M: words(`Liam Noah Oliver James Lucas Henry Mateo Jack Daniel Owen Samuel Leo David Joseph John
    Wyatt Luke Isaac Anthony Thomas Aaron Caleb Omar Felix Hugo Theo`),
}
const simplified = {
  last: words(
    '王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 郭 何 林 高 罗 郑 梁 谢 宋 唐 许 邓 冯 韩 欧阳',
  ),
  F: words(
    `美玲 静怡 雅婷 欣怡 诗涵 雨桐 梓涵 佳怡 丽 敏 婷 雪 芳 慧敏 晓燕 思琪 若曦 语嫣 秀英 梦洁`,
  ),
  M: words(`伟 强 磊 军 勇 杰 涛 明 浩然 子轩 宇航 俊杰 志强 建国 文博 家豪 鹏飞 天佑 博文 嘉诚`),
}
const cantonese = {
  last: words('陳 黃 李 張 梁 林 劉 吳 何 鄭 蔡 葉 周 馬 鄧 曾 許 馮 譚 郭 歐陽'),
  F: words(`美玲 嘉欣 詠詩 穎琳 曉彤 慧儀 佩珊 淑儀 婉婷 芷晴 凱琳 思敏 樂兒 紫晴 麗華`),
  M: words(`志明 家豪 俊傑 偉強 嘉偉 子軒 浩然 國強 永康 文傑 梓軒 健輝 卓賢 耀華 德華`),
}
const romanised = {
  last: words('Chan Wong Lee Cheung Leung Lam Lau Ng Ho Cheng Tsang Yeung Kwok Au-Yeung'),
  F: ['Ka Yan', 'Mei Ling', 'Wing Sze', 'Hiu Tung', 'Tsz Ching', 'Yuen Ting', 'Carmen', 'Vivian'],
  M: ['Chi Ming', 'Ka Ho', 'Chun Kit', 'Tsz Hin', 'Wai Keung', 'Ho Yin', 'Jason', 'Kelvin'],
}
const taiwanese = {
  last: words('陳 林 黃 張 李 王 吳 劉 蔡 楊 許 鄭 謝 郭 洪 曾 邱 廖 賴 徐 周 葉 蘇 莊 江 呂 范姜'),
  F: words(`佳蓉 雅婷 怡君 淑芬 欣怡 詩涵 郁婷 宜蓁 品妤 子晴 美惠 雅雯 佩君 思妤 語彤 秀琴`),
  M: words(`家豪 志明 俊宏 建宏 冠宇 承恩 柏翰 宗翰 彥廷 宇軒 品睿 文雄 明哲 信宏 哲瑋 政達`),
}

const mixes = {
  aurora: [western, western, western, western, western, romanised, simplified, taiwanese],
  lotus: [
    simplified,
    simplified,
    simplified,
    simplified,
    simplified,
    simplified,
    simplified,
    western,
  ],
  harbour: [cantonese, cantonese, cantonese, cantonese, romanised, romanised, western],
  formosa: [taiwanese, taiwanese, taiwanese, taiwanese, taiwanese, taiwanese, simplified],
}

// Names that are difficult to display: 40 characters, one letter, no last name, many alphabets,
// apostrophes.
const difficultNames: Name[] = [
  { firstName: 'Maximiliana Alexandrina Wilhelmina Louise', lastName: 'Ng', gender: 'F' },
  { firstName: 'Bartholomew', lastName: 'Featherstonehaugh-Cholmondeley-Warner III', gender: 'M' },
  {
    firstName: '古丽娜扎尔',
    lastName: '阿卜杜热西提·买买提明·吐尔逊娜依·阿不都克里木·艾合买提江·伊斯坎',
    gender: null,
  },
  { firstName: 'X', lastName: 'Y', gender: null },
  { firstName: '阿明', lastName: '', gender: 'M' },
  { firstName: "d'Artagnan", lastName: 'de la Cruz y Mendoza', gender: 'M' },
  { firstName: 'nguyễn thị', lastName: 'hương giang', gender: 'F' },
  { firstName: '𠮷野', lastName: '髙橋', gender: 'F' },
  { firstName: 'Zoë-Renée', lastName: 'Łukasiewicz', gender: 'F' },
  { firstName: 'JOHN', lastName: 'SMITH', gender: 'M' },
]

/** A plausible name for the company's region. One in 47 is a name that tests the layout. */
export function nameFor(company: string, index: number, random: Random): Name {
  const odd =
    index % 47 === 11 ? difficultNames[Math.floor(index / 47) % difficultNames.length] : undefined
  if (odd !== undefined) return odd
  const list = random.pick(mixOf(company))
  const gender = random.chance(56) ? 'F' : 'M'
  const name = { firstName: random.pick(list[gender]), lastName: random.pick(list.last) }
  return { ...name, gender: random.chance(8) ? null : gender }
}

function mixOf(company: string) {
  for (const [name, mix] of Object.entries(mixes)) if (name === company) return mix
  return mixes.aurora
}
