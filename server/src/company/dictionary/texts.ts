import {
  couponStatuses,
  genders,
  invoiceTypes,
  type PointType,
  transactionSources,
  transactionStatuses,
} from '@tillside/contract/wire/codes'
import type { PerLanguage } from '@tillside/contract/wire/language'

function words(en: string, cn: string, hk: string, tw: string): PerLanguage<string> {
  return { 'en-US': en, 'zh-CN': cn, 'zh-HK': hk, 'zh-TW': tw }
}

export const genderNames: Record<(typeof genders)[number], PerLanguage<string>> = {
  F: words('Female', '女', '女', '女'),
  M: words('Male', '男', '男', '男'),
}

export const couponStatusNames: Record<(typeof couponStatuses)[number], PerLanguage<string>> = {
  ISSUED: words('Valid', '可用', '可使用', '可使用'),
  USED: words('Redeemed', '已核销', '已使用', '已核銷'),
  EXPIRED: words('Expired', '已过期', '已過期', '已過期'),
}

export const transactionStatusNames: Record<
  (typeof transactionStatuses)[number],
  PerLanguage<string>
> = {
  completed: words('Completed', '已完成', '已完成', '已完成'),
  cancelled: words('Cancelled', '已取消', '已取消', '已取消'),
  deposit: words('Deposit', '定金', '訂金', '訂金'),
}

export const invoiceTypeNames: Record<(typeof invoiceTypes)[number], PerLanguage<string>> = {
  sale: words('Sale', '销售', '銷售', '銷售'),
  return: words('Return', '退货', '退貨', '退貨'),
  exchange: words('Exchange', '换货', '換貨', '換貨'),
}

export const sourceNames: Record<keyof typeof transactionSources, PerLanguage<string>> = {
  offlineStore: words('Offline store', '线下门店', '實體分店', '實體門市'),
  officialWebsite: words('Official website', '官网', '官方網站', '官方網站'),
}

/** Default names of the point types; a company may change the names, not the meanings. */
export const pointTypeNames: Record<PointType, PerLanguage<string>> = {
  earned: words('Earned', '消费获得', '消費賺取', '消費獲得'),
  promotionEarned: words('Promotion', '活动赠送', '推廣獎賞', '活動贈點'),
  adjustmentUp: words('Adjustment up', '人工增加', '調整增加', '調整增加'),
  adjustmentDown: words('Adjustment down', '人工扣减', '調整扣減', '調整扣除'),
  redeemGift: words('Gift redeemed', '兑换礼品', '換領禮品', '兌換商品'),
  redeemCoupon: words('Coupon redeemed', '兑换优惠券', '換領優惠券', '兌換優惠券'),
  specialAdd: words('Special case added', '特殊增加', '特別個案增加', '特殊增加'),
  specialDeduct: words('Special case deducted', '特殊扣减', '特別個案扣減', '特殊扣除'),
  returned: words('Goods returned', '退货扣回', '退貨扣回', '退貨扣回'),
  refund: words('Points given back', '积分退还', '退還積分', '退還點數'),
  cancelGift: words('Gift redemption cancelled', '取消礼品兑换', '取消換領禮品', '取消兌換商品'),
  cancelCoupon: words(
    'Coupon redemption cancelled',
    '取消优惠券兑换',
    '取消換領優惠券',
    '取消兌換優惠券',
  ),
  expired: words('Expired', '积分过期', '積分到期', '點數到期'),
  transferIn: words(
    'Transfer from another country',
    '从其他国家转入',
    '由其他地區轉入',
    '由其他國家轉入',
  ),
  transferOut: words('Transfer to another country', '转至其他国家', '轉至其他地區', '轉至其他國家'),
  redeemTransaction: words('Used against a sale', '积分抵现', '積分扣減', '點數折抵'),
}

export const callingCodeNames: Record<string, PerLanguage<string>> = {
  '1': words('United States', '美国', '美國', '美國'),
  '44': words('United Kingdom', '英国', '英國', '英國'),
  '65': words('Singapore', '新加坡', '新加坡', '新加坡'),
  '81': words('Japan', '日本', '日本', '日本'),
  '86': words('Mainland China', '中国大陆', '中國內地', '中國大陸'),
  '852': words('Hong Kong', '中国香港', '香港', '香港'),
  '853': words('Macau', '中国澳门', '澳門', '澳門'),
  '886': words('Taiwan', '台湾', '台灣', '台灣'),
}
