import type { Definition } from '../company/definition.ts'
import type { NewMember } from '../member/create.ts'
import type { Random } from '../practice/random.ts'

type Address = NewMember['address']

// Addresses with matching region codes, near each company's stores.
const addresses: Record<string, Address[]> = {
  aurora: [
    { country: 'US', province: 'New York', city: 'New York', detail: '1041 Sixth Avenue' },
    { country: 'US', province: 'New York', city: 'Brooklyn', detail: '76 Montague Street' },
    { country: 'TW', city: '710100', district: '710107', detail: '市府路45號' },
  ],
  lotus: [
    {
      country: 'CN',
      province: '310000',
      city: '310100',
      district: '310106',
      detail: '南京西路1266号',
    },
    {
      country: 'CN',
      province: '440000',
      city: '440300',
      district: '440305',
      detail: '海德三道2号',
    },
    { country: 'CN', province: '110000', city: '110100', district: '110105', detail: '建国路87号' },
  ],
  harbour: [
    { country: 'HK', city: '810200', district: '810205', detail: '觀塘道418號' },
    { country: 'HK', city: '810100', district: '810102', detail: '皇后大道東183號' },
    { country: 'MO', city: '820100', district: '820105', detail: '新馬路12號' },
  ],
  formosa: [
    { country: 'TW', city: '710100', district: '710105', detail: '忠孝東路四段45號' },
    { country: 'TW', city: '711100', district: '711132', detail: '文化路一段188號' },
    { country: 'TW', city: '710200', district: '710209', detail: '博愛二路777號' },
  ],
}

/**
 * Optional details of a member. About a third have an address, and half of the other fields are
 * filled.
 */
export function detailsOf(
  { identifier, register }: Definition,
  random: Random,
): Pick<NewMember, 'address' | 'customFields'> {
  const known = addresses[identifier] ?? []
  const address = random.chance(35) && known.length > 0 ? random.pick(known) : {}
  const customFields: NewMember['customFields'] = {}
  for (const { name, type, options } of register.fields) {
    if (name === 'gender' || random.chance(50)) continue
    const codes = options.map(({ code }) => code)
    if (type === 'select') customFields[name] = random.pick(codes)
    if (type === 'multiSelect') {
      const chosen = codes.filter(() => random.chance(50))
      customFields[name] = chosen.length > 0 ? chosen : codes.slice(0, 1)
    }
    if (type === 'boolean') customFields[name] = random.chance(60)
    if (type === 'number') {
      customFields[name] = name === 'shoeSize' ? random.between(35, 46) : random.between(1, 5)
    }
  }
  return { address, customFields }
}
