import type { ItemReason } from '@tillside/contract/integration'
import type { PerLanguage } from '@tillside/contract/wire/language'
import { fieldTexts, httpFailureTexts } from '../text/answer-texts.ts'
import { failureTexts, words } from '../text/failure-texts.ts'

/** Why one item of a batch was not taken. */
export const reasonTexts: Record<ItemReason, PerLanguage<string>> = {
  changed: words(
    'This was sent before with another content.',
    '此前已收到，但内容不同。',
    '之前已收到，但內容不同。',
    '先前已收到，但內容不同。',
  ),
  memberUnknown: failureTexts.memberUnknown,
  originalUnknown: words(
    'The sale that it takes back is not known.',
    '未找到原销售单。',
    '找不到原銷售單。',
    '查無原銷售單。',
  ),
  originalOtherMember: words(
    'The sale that it takes back is another member’s.',
    '原销售单属于其他会员。',
    '原銷售單屬於其他會員。',
    '原銷售單屬於其他會員。',
  ),
  originalReturned: words(
    'More comes back than is left of the sale.',
    '退货超出原销售单的剩余部分。',
    '退貨超出原銷售單的餘下部分。',
    '退貨超出原銷售單的剩餘部分。',
  ),
  storeUnknown: words(
    'There is no such store.',
    '未找到该门店。',
    '找不到此分店。',
    '查無此門市。',
  ),
  storeNotAllowed: words(
    'The key may not speak for this store.',
    '此密钥无权代表该门店。',
    '此金鑰不可代表此分店。',
    '此金鑰無權代表此門市。',
  ),
  taken: words(
    'This belongs to another member.',
    '已属于其他会员。',
    '已屬於其他會員。',
    '已屬於其他會員。',
  ),
  erased: words(
    'This member’s data was erased on request.',
    '该会员的资料已应要求删除。',
    '此會員的資料已應要求刪除。',
    '此會員的資料已依要求刪除。',
  ),
  fieldUnknown: fieldTexts.unknownField,
  fieldInvalid: fieldTexts.notAllowed,
  pointsAboveBalance: words(
    'The member has not so many points.',
    '该会员积分不足。',
    '此會員積分不足。',
    '此會員點數不足。',
  ),
  internal: httpFailureTexts.internal,
}
