import type { ItemReason } from '@tillside/contract/integration/batch'
import type { PerLanguage } from '@tillside/contract/wire/language'
import { fieldTexts } from '../text/answer-texts.ts'
import { failureTexts, words } from '../text/failure-texts.ts'

/** Why an item of a batch was refused. */
export const reasonTexts: Record<ItemReason, PerLanguage<string>> = {
  changed: words(
    'This was sent before with different content.',
    '此前已收到，但内容不同。',
    '之前已收到，但內容不同。',
    '先前已收到，但內容不同。',
  ),
  memberUnknown: failureTexts.memberUnknown,
  originalUnknown: words(
    'The original sale is unknown.',
    '未找到原销售单。',
    '找不到原銷售單。',
    '查無原銷售單。',
  ),
  originalOtherMember: words(
    'The original sale belongs to another member.',
    '原销售单属于其他会员。',
    '原銷售單屬於其他會員。',
    '原銷售單屬於其他會員。',
  ),
  originalReturned: words(
    'The return exceeds what is left of the sale.',
    '退货超出原销售单的剩余部分。',
    '退貨超出原銷售單的餘下部分。',
    '退貨超出原銷售單的剩餘部分。',
  ),
  dateImpossible: words(
    'The year must be from 1970 to 9998.',
    '年份须在 1970 至 9998 之间。',
    '年份須在 1970 至 9998 之間。',
    '年份須介於 1970 至 9998。',
  ),
  dateAhead: words(
    'The time is more than 24 hours ahead.',
    '时间晚于当前时间超过 24 小时。',
    '時間遲於現在超過 24 小時。',
    '時間晚於現在超過 24 小時。',
  ),
  dateTooEarly: words(
    'The company does not accept receipts of this day any more.',
    '公司不再接受该日期的单据。',
    '公司不再接受此日期的單據。',
    '公司不再接受此日期的單據。',
  ),
  amountTooLarge: words(
    'The amount is too large to be added up.',
    '金额过大，无法合计。',
    '金額過大，無法合計。',
    '金額過大，無法加總。',
  ),
  saleNegative: words(
    'The amount of a sale cannot be below zero.',
    '销售单金额不能为负数。',
    '銷售單金額不可為負數。',
    '銷售單金額不可為負數。',
  ),
  spendAboveTotal: words(
    'The net spend is more than the total.',
    '实付金额大于总金额。',
    '實付金額大於總金額。',
    '實付金額大於總金額。',
  ),
  linesNotTotal: words(
    'The lines do not add up to the total.',
    '明细合计与总金额不符。',
    '明細合計與總金額不符。',
    '明細加總與總金額不符。',
  ),
  storeUnknown: words(
    'There is no such store.',
    '未找到该门店。',
    '找不到此分店。',
    '查無此門市。',
  ),
  storeNotAllowed: words(
    'The API key is not valid for this store.',
    '此密钥不适用于该门店。',
    '此金鑰不適用於此分店。',
    '此金鑰不適用於此門市。',
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
    'The member does not have enough points.',
    '该会员积分不足。',
    '此會員積分不足。',
    '此會員點數不足。',
  ),
  internal: words(
    'Something went wrong on our side. Send this item again.',
    '系统出现问题，请重新发送此项。',
    '系統出現問題，請重新發送此項。',
    '系統發生問題，請重新傳送此項。',
  ),
}
