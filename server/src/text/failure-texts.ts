import type { FailureName } from '@tillside/contract/wire/failures'
import type { PerLanguage } from '@tillside/contract/wire/language'

/** One text in the four languages, in this fixed order: en-US, zh-CN, zh-HK, zh-TW. */
export function words(en: string, cn: string, hk: string, tw: string): PerLanguage<string> {
  return { 'en-US': en, 'zh-CN': cn, 'zh-HK': hk, 'zh-TW': tw }
}

/**
 * The texts of business refusals, as shown to a clerk. English texts quoted in the specification
 * are used word for word.
 */
export const failureTexts: Record<FailureName, PerLanguage<string>> = {
  invalid: words('validate error', '校验失败', '驗證失敗', '驗證失敗'),
  // By the specification the portal recognises this message, so it is the same in every language.
  noPermission: words('NO_PERMISSION', 'NO_PERMISSION', 'NO_PERMISSION', 'NO_PERMISSION'),
  accountUnknown: words('the account does not exist', '账号不存在', '帳戶不存在', '查無此帳號'),
  storeInactive: words(
    'the store is inactive, unable to log in',
    '门店已停用，无法登录',
    '分店已停用，未能登入',
    '門市已停用，無法登入',
  ),
  passwordWrong: words(
    'please type the correct password',
    '请输入正确的密码',
    '請輸入正確的密碼',
    '請輸入正確的密碼',
  ),
  linkInvalid: words(
    'This link has been used or has expired. Please ask for a new one, or log in.',
    '此链接已使用或已过期，请重新获取或直接登录。',
    '此連結已使用或已過期，請重新索取或直接登入。',
    '此連結已使用或已過期，請重新取得或直接登入。',
  ),
  tooManyAttempts: words(
    'Too many attempts. Try again later.',
    '尝试次数过多，请稍后再试。',
    '嘗試次數過多，請稍後再試。',
    '嘗試次數過多，請稍後再試。',
  ),
  identifierUnknown: words(
    'Not found Business identifier',
    '未找到该企业标识',
    '找不到此企業識別碼',
    '查無此企業識別碼',
  ),
  languageUnsupported: words(
    'This language is not supported.',
    '不支持该语言。',
    '不支援此語言。',
    '不支援此語言。',
  ),
  memberUnknown: words('No Member Found', '未找到会员', '找不到會員', '查無會員'),
  contactTaken: words(
    'This already belongs to a member.',
    '已有会员使用此联系方式。',
    '已有會員使用此聯絡資料。',
    '已有會員使用此聯絡方式。',
  ),
  memberChanged: words(
    'Somebody else has changed this member meanwhile. Please check what changed and save again.',
    '该会员资料已被他人修改，请核对后再保存。',
    '此會員資料已被他人更改，請核對後再儲存。',
    '此會員資料已被他人變更，請核對後再儲存。',
  ),
  lookUpChallenge: words(
    'You have looked up many members in a short time. Type your password to go on.',
    '您在短时间内查询了很多会员，请输入密码后继续。',
    '您在短時間內查詢了很多會員，請輸入密碼後繼續。',
    '您在短時間內查詢了很多會員，請輸入密碼後繼續。',
  ),
  nameTooShort: words(
    'Type at least two characters of the name.',
    '请输入姓名的至少两个字。',
    '請輸入姓名的最少兩個字。',
    '請輸入姓名的至少兩個字。',
  ),
  nameNotSearchable: words(
    'Type the beginning of a name: at most 60 characters, without % _ * ?',
    '请输入姓名的开头：最多60个字符，不含 % _ * ?',
    '請輸入姓名的開首：最多60個字元，不含 % _ * ?',
    '請輸入姓名的開頭：最多60個字元，不含 % _ * ?',
  ),
  captchaWrong: words(
    'Please enter valid verification Code',
    '请输入有效的验证码',
    '請輸入有效的驗證碼',
    '請輸入有效的驗證碼',
  ),
  captchaMissing: words(
    'Please send the verification code',
    '请先发送验证码',
    '請先傳送驗證碼',
    '請先傳送驗證碼',
  ),
  captchaTooOften: words(
    'Too many codes were sent. Please wait before you send another one.',
    '验证码发送过于频繁，请稍后再试。',
    '驗證碼傳送過於頻密，請稍後再試。',
    '驗證碼傳送過於頻繁，請稍後再試。',
  ),
  couponUnknown: words(
    'There is no such coupon.',
    '未找到该优惠券。',
    '找不到此優惠券。',
    '查無此優惠券。',
  ),
  couponUsed: words(
    'This coupon has already been redeemed.',
    '该优惠券已被核销。',
    '此優惠券已被使用。',
    '此優惠券已核銷。',
  ),
  couponExpired: words(
    'This coupon has expired.',
    '该优惠券已过期。',
    '此優惠券已過期。',
    '此優惠券已過期。',
  ),
  couponNotStarted: words(
    'This coupon can’t be used yet.',
    '该优惠券尚未到使用时间。',
    '此優惠券尚未到使用日期。',
    '此優惠券尚未開放使用。',
  ),
  couponOtherStore: words(
    'This coupon can’t be used at this store.',
    '该优惠券不能在本店使用。',
    '此優惠券不適用於本分店。',
    '此優惠券不適用於本門市。',
  ),
  couponOtherMember: words(
    'This coupon belongs to another member.',
    '该优惠券属于其他会员。',
    '此優惠券屬於另一位會員。',
    '此優惠券屬於其他會員。',
  ),
  couponOutOfStock: words(
    'There are none of these coupons left.',
    '该优惠券已发完。',
    '此優惠券已派完。',
    '此優惠券已發完。',
  ),
  couponLimit: words(
    'The member has as many of these coupons as they may have.',
    '该会员领取此券的数量已达上限。',
    '此會員獲派此優惠券的數目已達上限。',
    '此會員獲得此優惠券的數量已達上限。',
  ),
  couponCost: words(
    'This coupon is issued for points only, or costs none.',
    '该优惠券只能用积分兑换，或无需积分。',
    '此優惠券只可以積分換領，或無須積分。',
    '此優惠券只能以點數兌換，或不需點數。',
  ),
  couponsRefused: words(
    'Some coupons can’t be redeemed. None was redeemed.',
    '部分优惠券无法核销，未核销任何一张。',
    '部分優惠券未能使用，沒有使用任何一張。',
    '部分優惠券無法核銷，未核銷任何一張。',
  ),
  pointsNotConfigured: words(
    'Please configure the points redemption rules',
    '请先配置积分兑换规则',
    '請先設定積分換領規則',
    '請先設定點數兌換規則',
  ),
  pointsBelowMinimum: words(
    'Use at least {limit} points.',
    '最少使用{limit}积分。',
    '最少須使用{limit}積分。',
    '至少須使用{limit}點。',
  ),
  pointsAboveMaximum: words(
    'Use {limit} points at most.',
    '最多使用{limit}积分。',
    '最多可使用{limit}積分。',
    '最多可使用{limit}點。',
  ),
  pointsNotMultiple: words(
    'Use a multiple of {limit}.',
    '须为{limit}的整数倍。',
    '須為{limit}的倍數。',
    '須為{limit}的倍數。',
  ),
  pointsAboveBalance: words(
    'Not enough points. The balance is {limit}.',
    '积分不足，可用{limit}。',
    '積分不足，結餘為{limit}。',
    '點數不足，餘額為{limit}點。',
  ),
  pointsAboveShare: words(
    'At most {limit} points can be used for this sale.',
    '本单最多可使用{limit}积分。',
    '此單最多可使用{limit}積分。',
    '本筆最多可使用{limit}點。',
  ),
  giftUnknown: words(
    'There is no such reward.',
    '未找到该礼品。',
    '找不到此禮品。',
    '查無此兌換商品。',
  ),
  giftOutOfStock: words(
    'There are none of these rewards left.',
    '该礼品已兑完。',
    '此禮品已換完。',
    '此兌換商品已兌完。',
  ),
  giftLimit: words(
    'The member has had as many of these rewards as they may have.',
    '该会员的此礼品已达兑换上限。',
    '此會員換領此禮品的次數已達上限。',
    '此會員取得此兌換商品的次數已達上限。',
  ),
  balanceChanged: words(
    'The balance has changed, please check again',
    '积分余额已变动，请重新确认',
    '積分結餘已變更，請再次確認',
    '點數餘額已變動，請重新確認',
  ),
  notCancellable: words(
    'This can’t be undone any more.',
    '此操作已无法撤销。',
    '此操作已不能還原。',
    '此操作已無法復原。',
  ),
  transactionUnknown: words(
    'The member has no such transaction.',
    '未找到该会员的此笔交易。',
    '找不到此會員的這宗交易。',
    '查無此會員的這筆交易。',
  ),
  keyReused: words(
    'This request was already used for something else. Start again.',
    '该请求已用于其他操作，请重新开始。',
    '此請求已用於其他操作，請重新開始。',
    '此請求已用於其他操作，請重新開始。',
  ),
  allowanceUsedUp: words(
    'Your account has reached its limit of {limit} for today. Please ask your manager.',
    '您的账号已达到今天的上限（{limit}），请联系店长。',
    '您的帳戶已達到今日的上限（{limit}），請聯絡店長。',
    '您的帳號已達到今天的上限（{limit}），請聯絡店長。',
  ),
}

/** The texts for a clerk who may not see the limit. */
export const withoutLimitTexts: Partial<Record<FailureName, PerLanguage<string>>> = {
  pointsAboveBalance: words('Not enough points.', '积分不足。', '積分不足。', '點數不足。'),
}
