import type { KeyProblemName } from '@tillside/contract/integration/problems'
import type { FieldReason, HttpFailureName } from '@tillside/contract/wire/failures'
import type { PerLanguage } from '@tillside/contract/wire/language'
import { words } from './failure-texts.ts'

// Texts of answers other than business refusals: HTTP statuses, reasons of invalid fields,
// successes.

export const httpFailureTexts: Record<HttpFailureName, PerLanguage<string>> = {
  unauthorized: words(
    'Auth failed, please login first',
    '登录超时，请先登录',
    '登入逾時，請先登入',
    '登入逾時，請先登入',
  ),
  notFound: words('There is nothing here.', '此处没有内容。', '此處沒有內容。', '這裡沒有內容。'),
  methodNotAllowed: words(
    'This address takes another method.',
    '该地址不接受此方法。',
    '此網址不接受這種方法。',
    '此網址不接受這種方法。',
  ),
  tooLarge: words(
    'The request is too large.',
    '请求内容过大。',
    '請求內容過大。',
    '請求內容過大。',
  ),
  unsupportedMediaType: words(
    'Only JSON is understood here.',
    '仅支持JSON格式。',
    '只支援JSON格式。',
    '僅支援JSON格式。',
  ),
  internal: words(
    'Something went wrong on our side. Check the result before you try again.',
    '系统出现问题，请先确认结果，再重试。',
    '系統出現問題，請先確認結果，再試一次。',
    '系統發生問題，請先確認結果，再試一次。',
  ),
  unavailable: words(
    'The system can’t be reached right now. Try again shortly.',
    '系统暂时无法访问，请稍后重试。',
    '系統暫時未能連線，請稍後再試。',
    '系統暫時無法連線，請稍後再試。',
  ),
}

/** Texts of two refusals that a clerk gets in other words: a key does not log in. */
export const keyOwnTexts = {
  unauthorized: words(
    'The API key is missing, unknown or revoked.',
    'API密钥缺失、无效或已被撤销。',
    'API金鑰欠缺、無效或已被撤銷。',
    'API金鑰缺少、無效或已被撤銷。',
  ),
  noPermission: words(
    'This API key may not make this call: it lacks the scope, or is not valid for every store.',
    '此API密钥不能调用此接口：缺少所需权限范围，或并非适用于所有门店。',
    '此API金鑰不可呼叫此介面：欠缺所需權限範圍，或並非適用於所有分店。',
    '此API金鑰不能呼叫此介面：缺少所需權限範圍，或並非適用於所有門市。',
  ),
}

export const keyProblemTexts: Record<KeyProblemName, PerLanguage<string>> = {
  malformed: words(
    'The body is not valid JSON.',
    '请求内容不是有效的JSON。',
    '請求內容不是有效的JSON。',
    '請求內容不是有效的JSON。',
  ),
  keyRequired: words(
    'Send the header Idempotency-Key with 1 to 255 visible ASCII characters.',
    '请发送标头Idempotency-Key，长度为1至255个可见ASCII字符。',
    '請傳送標頭Idempotency-Key，長度為1至255個可見ASCII字元。',
    '請傳送標頭Idempotency-Key，長度為1至255個可見ASCII字元。',
  ),
  storeRequired: words(
    'This API key is valid for several stores. Name one in the header Tillside-Store.',
    '此API密钥可用于多个门店，请在标头Tillside-Store中指定门店。',
    '此API金鑰可用於多間分店，請在標頭Tillside-Store中指定分店。',
    '此API金鑰可用於多間門市，請在標頭Tillside-Store中指定門市。',
  ),
  storeUnknown: words(
    'The company has no store with this code.',
    '企业没有此代码的门店。',
    '企業沒有此代碼的分店。',
    '企業沒有此代碼的門市。',
  ),
  storeNotAllowed: words(
    'This API key may not act for this store.',
    '此API密钥不能代表此门店操作。',
    '此API金鑰不可代表此分店操作。',
    '此API金鑰不能代表此門市操作。',
  ),
  storeClosed: words('This store is closed.', '此门店已停用。', '此分店已停用。', '此門市已停用。'),
  liveKey: words(
    'This call is only for test keys, which begin with tillside_test_. Nothing was changed.',
    '此接口仅供测试密钥（以tillside_test_开头）使用，未作任何更改。',
    '此介面只供測試金鑰（以tillside_test_開頭）使用，沒有作出任何更改。',
    '此介面僅供測試金鑰（以tillside_test_開頭）使用，未做任何變更。',
  ),
  keyRunning: words(
    'A request with this Idempotency-Key is still running. Repeat it in a moment.',
    '使用此Idempotency-Key的请求仍在处理，请稍后重试。',
    '使用此Idempotency-Key的請求仍在處理，請稍後再試。',
    '使用此Idempotency-Key的請求仍在處理，請稍後再試。',
  ),
  tooManyRequests: words(
    'This API key has sent too many requests. Wait before you send the next one.',
    '此API密钥发送的请求过多，请稍后再试。',
    '此API金鑰傳送的請求過多，請稍後再試。',
    '此API金鑰傳送的請求過多，請稍後再試。',
  ),
}

export const fieldTexts: Record<FieldReason, PerLanguage<string>> = {
  required: words('This is required.', '此项必填。', '此項必須填寫。', '此項必填。'),
  wrongType: words(
    'This is not the right kind of value.',
    '此项的类型不正确。',
    '此項的類型不正確。',
    '此項的類型不正確。',
  ),
  tooShort: words('This is too short.', '此项过短。', '此項太短。', '此項太短。'),
  tooFew: words('Please select more.', '请再多选几项。', '請再多選幾項。', '請再多選幾項。'),
  tooLong: words('This is too long.', '此项过长。', '此項太長。', '此項太長。'),
  tooSmall: words('This is too small.', '此项过小。', '此項太小。', '此項太小。'),
  tooLarge: words('This is too large.', '此项过大。', '此項太大。', '此項太大。'),
  format: words('The format is not correct.', '格式不正确。', '格式不正確。', '格式不正確。'),
  notAllowed: words(
    'This value can’t be chosen here.',
    '此处不能选择该值。',
    '此處不能選擇此值。',
    '此處不能選擇這個值。',
  ),
  unknownField: words('This field is not known.', '未知字段。', '不明欄位。', '不明欄位。'),
  exactlyOne: words(
    'The link must contain exactly one member identifier.',
    '链接中只能包含一种会员标识。',
    '連結只可包含一種會員識別資料。',
    '連結只能包含一種會員識別資料。',
  ),
  text: words(
    'Some characters can’t be used here.',
    '包含不能使用的字符。',
    '包含不能使用的字元。',
    '包含無法使用的字元。',
  ),
  future: words(
    'This day has not come yet.',
    '日期不能晚于今天。',
    '日期不可遲於今天。',
    '日期不能晚於今天。',
  ),
  tooYoung: words(
    'The customer is too young to join.',
    '顾客未达到入会年龄。',
    '顧客未達入會年齡。',
    '顧客未達入會年齡。',
  ),
  outdated: words(
    'There is a newer version. Load the page again.',
    '内容已更新，请重新加载页面。',
    '內容已更新，請重新載入頁面。',
    '內容已更新，請重新載入頁面。',
  ),
  newPassword: words(
    'new password format is not correct',
    '新密码格式不正确',
    '新密碼格式不正確',
    '新密碼格式不正確',
  ),
  commonPassword: words(
    'new password format is not correct: this password is too common',
    '新密码格式不正确：这个密码太常见',
    '新密碼格式不正確：這個密碼太常見',
    '新密碼格式不正確：這組密碼太常見',
  ),
  passwordsDiffer: words(
    'new password and password confirmation do not match',
    '两次输入的新密码不一致',
    '兩次輸入的新密碼不相符',
    '兩次輸入的新密碼不一致',
  ),
}

/** For a coupon that occurs twice in a batch; listed in `couponsRefused` with the others. */
export const inBatchTwice = words(
  'This coupon is in the list twice.',
  '该优惠券重复。',
  '此優惠券重複。',
  '此優惠券重複。',
)

/** Texts of successful answers; calls without an entry use `success.other`. */
export const successTexts = {
  redeemCoupon: words(
    'Coupon redeemed successfully',
    '优惠券核销成功',
    '優惠券已成功使用',
    '優惠券核銷成功',
  ),
  issueCoupon: words(
    'Coupon issued successfully',
    '优惠券发放成功',
    '優惠券已成功派發',
    '優惠券發送成功',
  ),
  changePassword: words(
    'Your password has been changed. Please log in again.',
    '密码已修改，请重新登录。',
    '密碼已更改，請重新登入。',
    '密碼已變更，請重新登入。',
  ),
  other: words('Done', '已完成', '已完成', '已完成'),
} satisfies Record<string, PerLanguage<string>>
