import type { Language, PerLanguage } from '@tillside/contract/wire/language'
import { permissions } from '@tillside/contract/wire/permissions'
import { companyNamed } from '@tillside/server/company/find'
import { type Goods, shops } from '@tillside/server/demo/goods'
import { NewMember } from '@tillside/server/member/create'
import { createMember } from '@tillside/server/register/create'
import { addStaff } from '@tillside/server/staff/accounts'
import { hashPassword } from '@tillside/server/staff/password'
import { password } from '../demo/api.ts'
import { demoDatabase } from '../demo/database.ts'
import type { Customer, Shop } from '../demo/shop.ts'
import { addSales } from '../demo/sales.ts'

/** A shop in the reader's language, as the manual shows it: a clerk and one customer. */
export type FirstDay = {
  company: string
  account: string
  /** The account of a colleague at the same store. */
  colleague: string
  customer: Customer
  /** A customer who is not a member yet, and the form's labels for their fields. */
  another: Joining
  labels: Joining
  /** The last of the receipts. */
  invoiceNumber: string
  /** The amount of a typical sale. */
  saleAmount: string
  /** The rule for points against a sale. */
  exchange: Exchange
  /** The amount that earns the points of six steps of that rule. */
  sixSteps: string
}

type Exchange = { minimum: number; maximum: number; increment: number }

type Joining = { mobile: string; firstName: string; lastName: string }

type Name = { firstName: string; lastName: string }
type Scene = Name & { like: string; store: string; colleague: Name; another: Joining }

const scenes: PerLanguage<Scene> = {
  'en-US': {
    like: 'aurora',
    firstName: 'Kim',
    lastName: 'Porter',
    store: 'NY001',
    colleague: { firstName: 'Leo', lastName: 'Marsh' },
    another: { mobile: '2125550142', firstName: 'Nora', lastName: 'Bell' },
  },
  'zh-CN': {
    like: 'lotus',
    firstName: '芳',
    lastName: '王',
    store: 'SH001',
    colleague: { firstName: '磊', lastName: '陈' },
    another: { mobile: '13124567890', firstName: '雨桐', lastName: '周' },
  },
  'zh-HK': {
    like: 'harbour',
    firstName: '嘉欣',
    lastName: '黃',
    store: 'HK021',
    colleague: { firstName: '志明', lastName: '梁' },
    another: { mobile: '51239876', firstName: '詠詩', lastName: '梁' },
  },
  'zh-TW': {
    like: 'formosa',
    firstName: '怡君',
    lastName: '陳',
    store: 'TW007',
    colleague: { firstName: '柏翰', lastName: '林' },
    another: { mobile: '912468135', firstName: '宜蓁', lastName: '許' },
  },
}

const account = 'kim'
const colleague = 'leo'

/** Prepares it: all permissions, and a customer with several purchases and coupons. */
export async function openFirstDay(shop: Shop, language: Language): Promise<FirstDay> {
  const { like, store, another, firstName, lastName, colleague: other } = scenes[language]
  const labels = { mobile: '', firstName: '', lastName: '' }
  let termsVersion = ''
  const rules: Exchange[] = []
  let perUnit = 1
  const known = shops[like]
  if (known === undefined) throw new Error(`the demo has no shop ${like}`)
  const company = await shop.company(like, (definition) => {
    termsVersion = definition.terms.version
    for (const name of ['mobile', 'firstName', 'lastName'] as const) {
      const field = definition.register.fields.find((one) => one.name === name)
      labels[name] = field?.labels[language] ?? ''
    }
    if (definition.points.exchange !== null) rules.push(definition.points.exchange)
    perUnit = Number(definition.points.perUnit)
    return {
      ...definition,
      points: { ...definition.points, refundPolicy: 'debt' },
      idleLockMinutes: 10,
      layout: { tierProgressStyle: 'displayNextTierOnly', transactionItemStyle: 'separateScreen' },
      groups: definition.groups.map((group) =>
        group.code === 'full' ? { ...group, permissions: [...permissions] } : group,
      ),
    }
  })
  const customer = known.showcase
  const database = demoDatabase()
  const id = await companyNamed(database, company)
  const passwordHash = await hashPassword(password)
  await database.transaction(id, async (tx) => {
    const at = { groupCode: 'full', storeCode: store, passwordHash }
    await addStaff(tx, id, { ...at, account, firstName, lastName })
    await addStaff(tx, id, { ...at, ...other, account: colleague })
    const joined = new Date(Date.now() - 400 * day).toISOString()
    const consent = { version: termsVersion, language, at: joined, storeCode: store }
    const member = { ...customer, registrationDate: joined.slice(0, 10), consent }
    await createMember(tx, { id }, NewMember.parse(member))
  })
  const receipts = receiptsOf(known.goods, store)
  await addSales(company, customer, receipts)
  for (const coupon of ['WELCOME', 'BIRTHDAY', 'HOUSE']) {
    await shop.coupon(company, customer, coupon, store)
  }
  const { invoiceNumber = '', netSpend: saleAmount = '' } = receipts.at(-1)?.changes ?? {}
  const [exchange] = rules
  if (exchange === undefined) throw new Error(`in ${like} points do not pay for sales`)
  const { increment } = exchange
  const sixSteps = ((6 * increment) / perUnit).toFixed(2)
  const sales = { invoiceNumber, saleAmount, exchange, sixSteps }
  return { company, account, colleague, customer, another, labels, ...sales }
}

const day = 86_400_000

/** Eight visits within a year; the largest goods twice, so that a tier is reached. */
function receiptsOf(goods: readonly Goods[], storeCode: string) {
  return [300, 250, 190, 120, 75, 40, 16, 3].map((daysAgo, visit) => {
    const sold = [goods[(visit * 3) % goods.length], goods[9], goods[8]].slice(0, 2 + (visit % 2))
    const lines = sold.flatMap((one) => (one === undefined ? [] : [one]))
    const items = lines.map(({ sku, name, cents }) => {
      const price = (cents / 100).toFixed(2)
      const spend = { total: price, discount: '0.00', spend: price }
      return { skuCode: sku, skuName: name, price, quantity: '1', ...spend }
    })
    const sum = (lines.reduce((total, { cents }) => total + cents, 0) / 100).toFixed(2)
    const changes = {
      invoiceNumber: `${storeCode}-${88_201 + 17 * visit}`,
      storeCode,
      occurredAt: new Date(Date.now() - daysAgo * day).toISOString(),
      totalAmount: sum,
      netSpend: sum,
      items,
    }
    return { lines: [], changes }
  })
}
