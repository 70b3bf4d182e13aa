// The words before a number in a chat, on a card or in an address book: "Tel:
// 201-555-0123", "會員號 HAR10001".

const kinds = ['mobile', 'card', 'coupon', 'code', 'email'] as const
/** The kinds that a label can name. */
type LabelKind = (typeof kinds)[number]

/** The words of each kind, as parts of a regular expression. */
const words: Record<LabelKind, readonly string[]> = {
  mobile: [
    'tel(?:ephone)?',
    '(?:mobile|cell)? ?phone',
    'mobile',
    'mob',
    'cell',
    'whats ?app',
    'we ?chat',
    'contact',
    '[mtp](?=:)',
    '(?:会员|會員|顾客|顧客|客户|客戶)?(?:联系|聯絡|联络|聯繫|行動|移动|流動)?(?:电话|電話|手机|手機)',
  ],
  card: ['(?:member|membership|loyalty|vip)? ?card', '(?:会员|會員|贵宾|貴賓)?卡'],
  coupon: [
    '(?:coupon|voucher)(?: code)?',
    '(?:优惠|優惠|现金|現金|礼|禮|折扣|兑换|兌換)?[券卷](?:编|編)?[码碼]?',
  ],
  code: [
    'member(?:ship)?(?: (?:code|id))?',
    'customer(?: (?:code|id))?',
    '(?:code|id)',
    '(?:会员|會員)(?:编|編|代)?[码碼]?',
    '(?:编|編)(?=[号號码碼])',
  ],
  email: [
    'e-?mail(?: address)?',
    'mail(?:to)?',
    '(?:电子|電子)?(?:邮箱|郵箱|邮件|郵件|電郵|电邮|信箱)',
  ],
}

/** "No.", "number", "#", 号 and 號碼 after the word. */
const number = '(?: ?(?:no\\.?|num(?:ber)?|nr\\.?|#)| ?[号號](?:[码碼])?)?'

// A Latin word needs a separator, because `CARD1` is a code; a Chinese word needs none.
const patterns = kinds.map((kind) => {
  const either = words[kind].join('|')
  const latin = `(?:${either})\\.?${number}(?: ?[:=#] ?| ?[-–—] | +)`
  const chinese = `(?=[^\\x00-\\x7f])(?:${either})${number} ?[:=#-]? ?`
  return { kind, pattern: new RegExp(`^(?:my |您的|我的)?(?:${chinese}|${latin})`, 'iu') }
})

/** A text without its label, and the kind that the label names. */
export type Labelled = { kind: LabelKind; text: string }

/**
 * Reads a label before a number or a code.
 * @param text normalised, without characters in full width
 * @returns null if the text begins with no known label
 */
export function labelled(text: string): Labelled | null {
  for (const { kind, pattern } of patterns) {
    const label = pattern.exec(text)?.[0]
    if (label === undefined) continue
    const rest = text.slice(label.length).trim()
    if (rest !== '') return { kind, text: rest }
  }
  return null
}

/** The parts of a text that may each have a label: its lines, or a list with commas. */
export function partsOf(text: string): readonly string[] {
  return text.split(/[\r\n;|,、；，]+/u).map((part) => part.trim())
}
