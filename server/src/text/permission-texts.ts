import type { PerLanguage } from '@tillside/contract/wire/language'
import type { Permission } from '@tillside/contract/wire/permissions'

function words(en: string, cn: string, hk: string, tw: string): PerLanguage<string> {
  return { 'en-US': en, 'zh-CN': cn, 'zh-HK': hk, 'zh-TW': tw }
}

/** The names of the permissions, for the buttons in `getPermission`. */
export const permissionNames: Record<Permission, PerLanguage<string>> = {
  homeMembertier: words('Member tier', '会员等级', '會員級別', '會員等級'),
  coupon: words('Coupons', '优惠券', '優惠券', '優惠券'),
  point: words('Points', '积分', '積分', '點數'),
  transaction: words('Transactions', '交易记录', '交易紀錄', '交易紀錄'),
  userInfo: words('Edit member', '编辑会员资料', '編輯會員資料', '編輯會員資料'),
  homeIssuecoupon: words('Issue coupon', '发放优惠券', '派發優惠券', '發送優惠券'),
  couponRedeem: words('Redeem coupon', '核销优惠券', '使用優惠券', '核銷優惠券'),
  couponView: words('View coupon', '查看优惠券', '查看優惠券', '檢視優惠券'),
  register: words('Register member', '注册会员', '登記會員', '新增會員'),
  pointRedeem: words('Redeem points', '积分兑换', '積分換領', '點數兌換'),
  pointExchange: words('Exchange points', '积分抵现', '積分扣減', '點數折抵'),
  scanQrCode: words('Scan QR code', '扫描二维码', '掃描二維碼', '掃描 QR Code'),
  homeMemberSearchByName: words('Search by name', '按姓名查找', '以姓名搜尋', '以姓名查詢'),
  storeShift: words('Shifts of the store', '全店班次', '全店更次', '全店班次'),
}
