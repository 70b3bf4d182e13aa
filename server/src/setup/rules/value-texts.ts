import { words } from '../../text/failure-texts.ts'

// The sentences of a rule book about earning, spending, expiry and returns. `{points}` and
// `{point}` are the company's own names of points; the other names in braces are values of the
// company or results of the engine. In English, `{points}`, `days`, `months` and `minutes` after a
// number become singular if the number is 1.

export const valueTexts = {
  title: words(
    'The rules of {company}',
    '{company}会员规则',
    '{company}會員規則',
    '{company}會員規則',
  ),
  source: words(
    'Made from the company’s settings, revision {revision}. The examples are worked by ' +
      'the program itself.',
    '根据公司设置（第{revision}版）生成。示例均由程序计算得出。',
    '根據公司設定（第{revision}版）產生。例子均由程式計算得出。',
    '依公司設定（第{revision}版）產生。範例皆由程式計算得出。',
  ),
  example: words('Example', '示例', '例子', '範例'),
  earning: words('Earning {points}', '获取{points}', '賺取{points}', '累積{points}'),
  perUnit: words(
    'Each {unit} paid earns {rate} {points}. Discounts, coupons and {points} used as ' +
      'payment do not earn. The result is rounded down.',
    '实付每{unit}可得{rate}{points}。折扣、优惠券及以{points}支付的部分不累计。结果向下取整。',
    '實付每{unit}可得{rate}{points}。折扣、優惠券及以{points}支付的部分不計算。結果向下取整。',
    '實付每{unit}可得{points}{rate}點。折扣、優惠券及以{points}折抵的部分不列入。結果無條件捨去。',
  ),
  earnExample: words(
    'A sale of {amount} earns {result} {points} for a member of the tier {tier}.',
    '以{tier}等级消费{amount}，可得{result}{points}。',
    '以{tier}級別消費{amount}，可得{result}{points}。',
    '以{tier}等級消費{amount}，可得{points}{result}點。',
  ),
  pending: words(
    '{Points} can be spent {days} days after the sale.',
    '{points}于消费后第{days}天起可用。',
    '{points}於消費後第{days}天起可用。',
    '{points}於消費後第{days}天起可使用。',
  ),
  promotions: words('Promotions', '活动', '推廣', '活動'),
  promotion: words(
    '{name}, {period}. A sale of {amount} earns {result} {points} more for a ' +
      'member of the tier {tier}, if all of it qualifies.',
    '{name}，{period}。若全部符合条件，以{tier}等级消费{amount}可额外获得{result}{points}。',
    '{name}，{period}。若全部符合條件，以{tier}級別消費{amount}可額外獲得{result}{points}。',
    '{name}，{period}。若全部符合條件，以{tier}等級消費{amount}可額外獲得{points}{result}點。',
  ),
  period: words('{from} to {to}', '{from}至{to}', '{from}至{to}', '{from}至{to}'),
  openPeriod: words(
    'from {from}, no end date',
    '{from}起，长期有效',
    '{from}起，不設結束日期',
    '{from}起，不設結束日期',
  ),
  promotionStores: words(
    'Only at: {stores}.',
    '仅限：{stores}。',
    '只限：{stores}。',
    '僅限：{stores}。',
  ),
  promotionGoods: words(
    'Only for goods with these numbers: {goods}.',
    '仅限以下货号：{goods}。',
    '只限以下貨號：{goods}。',
    '僅限以下貨號：{goods}。',
  ),
  promotionFirst: words(
    'Only for a member’s first purchase.',
    '仅限会员首次消费。',
    '只限會員首次消費。',
    '僅限會員首次消費。',
  ),
  spending: words('Spending {points}', '使用{points}', '使用{points}', '使用{points}'),
  exchange: words(
    '1 {point} pays {value}. A payment uses {minimum} to {maximum} {points}, in steps of ' +
      '{increment}.',
    '每1{points}可抵{value}。每次可用{minimum}至{maximum}{points}，以{increment}为单位。',
    '每1{points}可抵{value}。每次可用{minimum}至{maximum}{points}，以{increment}為單位。',
    '每1點可折抵{value}。每次可用{points}{minimum}至{maximum}點，以{increment}點為單位。',
  ),
  share: words(
    'They pay at most {percent} % of a sale.',
    '最多可抵消费金额的{percent}%。',
    '最多可抵消費金額的{percent}%。',
    '最多可折抵消費金額的{percent}%。',
  ),
  exchangeExample: words(
    'A sale of {amount} takes at most {most} {points}, worth {worth}.',
    '消费{amount}时，最多可用{most}{points}，可抵{worth}。',
    '消費{amount}時，最多可用{most}{points}，可抵{worth}。',
    '消費{amount}時，最多可用{points}{most}點，可折抵{worth}。',
  ),
  noExchange: words(
    '{Points} do not pay for sales.',
    '{points}不可抵扣消费金额。',
    '{points}不可抵銷消費金額。',
    '{points}不可折抵消費金額。',
  ),
  gifts: words('Rewards', '礼品', '禮品', '兌換商品'),
  priced: words(
    '{name}: {cost} {points}',
    '{name}：{cost}{points}',
    '{name}：{cost}{points}',
    '{name}：{points}{cost}點',
  ),
  perMember: words(
    'at most {limit} for each member',
    '每人限{limit}份',
    '每人限{limit}份',
    '每人限{limit}份',
  ),
  coupons: words(
    'Coupons for {points}',
    '{points}兑换的优惠券',
    '以{points}換領的優惠券',
    '以{points}兌換的優惠券',
  ),
  expiry: words('Expiry', '有效期', '有效期', '有效期限'),
  never: words(
    '{Points} do not expire.',
    '{points}永久有效。',
    '{points}永久有效。',
    '{points}永久有效。',
  ),
  months: words(
    '{Points} expire at the end of the month, {months} months after the sale. Those that ' +
      'expire first are used first.',
    '{points}于消费后第{months}个月的月末到期。先到期者先使用。',
    '{points}於消費後第{months}個月的月底到期。先到期者先使用。',
    '{points}於消費後第{months}個月的月底到期。先到期者先使用。',
  ),
  fixed: words(
    '{Points} expire on the next of these days (month-day): {dates}. Those that expire ' +
      'first are used first.',
    '{points}于以下日期（月-日）中最近的一天到期：{dates}。先到期者先使用。',
    '{points}於以下日期（月-日）中最近的一天到期：{dates}。先到期者先使用。',
    '{points}於以下日期（月-日）中最近的一天到期：{dates}。先到期者先使用。',
  ),
  expiryExample: words(
    '{Points} of a sale on {day} can be spent from {first} to {last}.',
    '{day}消费所得{points}，可于{first}至{last}使用。',
    '{day}消費所得{points}，可於{first}至{last}使用。',
    '{day}消費所得{points}，可於{first}至{last}使用。',
  ),
}
