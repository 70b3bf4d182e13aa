// The goods of the demo companies, and the four members that the documentation shows.

export type Goods = { sku: string; name: string; cents: number }

export type Shop = {
  goods: Goods[]
  /** Sold by weight, so that a receipt can have any total. */
  byWeight: Omit<Goods, 'cents'>
  associates: string[]
  /** A national mobile number that is unique in the demo, made from a running number. */
  mobile(index: number): { countryCode: string; mobile: string }
  showcase: {
    memberCode: string
    cardNumber: string
    uniCustomerNo: string
    countryCode: string
    mobile: string
    email: string
    firstName: string
    lastName: string
  }
}

function goods(lines: string): Goods[] {
  return lines
    .trim()
    .split('\n')
    .map((text) => {
      const [sku = '', name = '', cents = ''] = text.split('|').map((cell) => cell.trim())
      return { sku, name, cents: Number(cents) }
    })
}

function digits(index: number, length: number): string {
  return String(index).padStart(length, '0')
}

const areaCodes = ['212', '646', '718', '347', '917', '929']

/** 555-0100 to 555-0199 are reserved for fiction in every North American area code. */
function fictional(index: number): string {
  const line = 100 + (Math.floor(index / areaCodes.length) % 100)
  return `${areaCodes[index % areaCodes.length]}5550${line}`
}

export const shops: Record<string, Shop> = {
  aurora: {
    goods: goods(`
      AU-100|Flat white|525
      AU-101|Cold brew|495
      AU-102|Oat latte|595
      AU-110|Butter croissant|425
      AU-111|Cinnamon roll|475
      AU-112|Avocado toast|1150
      AU-120|House blend, 12 oz|1800
      AU-121|Ethiopia Guji, 12 oz|2200
      AU-130|Steel tumbler|3200
      AU-131|Pour-over set|5400`),
    byWeight: { sku: 'AU-190', name: 'Beans by weight' },
    associates: ['Nina R.', 'Marcus T.', 'Jo P.', 'Sam K.'],
    mobile: (index) => ({ countryCode: '1', mobile: fictional(index) }),
    showcase: {
      memberCode: 'AUR10001',
      cardNumber: '6200000010001',
      uniCustomerNo: 'UAUR10001',
      countryCode: '1',
      mobile: '2015550123',
      email: 'grace.lee@example.com',
      firstName: 'Grace',
      lastName: 'Lee',
    },
  },
  lotus: {
    goods: goods(`
      LT-100|龙井一壶|6800
      LT-101|铁观音一壶|7200
      LT-102|陈年普洱一壶|9800
      LT-103|茉莉花茶一杯|3200
      LT-110|桂花糕|2800
      LT-111|绿豆酥|2600
      LT-112|茶点拼盘|8800
      LT-120|龙井 100克|16800
      LT-121|普洱茶饼 357克|32800
      LT-130|青瓷茶具|45800`),
    byWeight: { sku: 'LT-190', name: '散装茶叶' },
    associates: ['小周', '阿琴', '建平', '思远'],
    mobile: (index) => ({ countryCode: '86', mobile: `1312346${digits(index, 4)}` }),
    showcase: {
      memberCode: 'LOT10001',
      cardNumber: '6200000020001',
      uniCustomerNo: 'ULOT10001',
      countryCode: '86',
      mobile: '13123456789',
      email: 'meiling.chen@example.com',
      firstName: '美玲',
      lastName: '陈',
    },
  },
  harbour: {
    goods: goods(`
      HB-100|蛋撻|1200
      HB-101|菠蘿包|900
      HB-102|雞尾包|1000
      HB-103|絲襪奶茶|2200
      HB-110|牛油曲奇 罐裝|9800
      HB-111|蝴蝶酥 盒裝|7800
      HB-112|瑞士卷|5800
      HB-120|芒果忌廉蛋糕 一磅|26800
      HB-121|栗子蛋糕 兩磅|39800
      HB-130|婚禮禮餅 半打|15800`),
    byWeight: { sku: 'HB-190', name: '散裝糖果' },
    associates: ['嘉恩', '阿輝', 'Carmen', '志強'],
    mobile: (index) => ({ countryCode: '852', mobile: `5124${digits(index, 4)}` }),
    showcase: {
      memberCode: 'HAR10001',
      cardNumber: '6200000030001',
      uniCustomerNo: 'UHAR10001',
      countryCode: '852',
      mobile: '51234567',
      email: 'meiling.chan@example.com',
      firstName: '美玲',
      lastName: '陳',
    },
  },
  formosa: {
    goods: goods(`
      FO-100|能量果膠|8000
      FO-101|登山襪|45000
      FO-102|魔術頭巾|38000
      FO-103|折疊水壺|62000
      FO-110|頭燈|158000
      FO-111|登山杖一對|228000
      FO-112|輕量雨衣|368000
      FO-120|中筒登山鞋|528000
      FO-121|45 升背包|618000
      FO-130|雙人帳篷|988000`),
    byWeight: { sku: 'FO-190', name: '秤重乾糧' },
    associates: ['雅雯', '阿哲', '冠宇', '佩君'],
    mobile: (index) => ({ countryCode: '886', mobile: `91246${digits(index, 4)}` }),
    showcase: {
      memberCode: 'FOR10001',
      cardNumber: '6200000040001',
      uniCustomerNo: 'UFOR10001',
      countryCode: '886',
      mobile: '912345678',
      email: 'jiarong.lin@example.com',
      firstName: '佳蓉',
      lastName: '林',
    },
  },
}
