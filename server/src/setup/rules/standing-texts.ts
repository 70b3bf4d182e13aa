import { words } from '../../text/failure-texts.ts'

// The sentences of a rule book about returns, tiers and limits. See value-texts.ts.

export const standingTexts = {
  returns: words('Returns', '退货', '退貨', '退貨'),
  returned: words(
    'A return takes back the share of the {points} that the returned goods earned. ' +
      'Several partial returns never take more than the sale earned.',
    '退货时扣回所退商品获得的{points}。多次部分退货扣回的总数不会超过该次消费所得。',
    '退貨時扣回所退貨品賺取的{points}。多次部分退貨扣回的總數不會超過該次消費所得。',
    '退貨時扣回所退商品累積的{points}。多次部分退貨扣回的總數不會超過該次消費所得。',
  ),
  returnExample: words(
    'A sale of {amount} earned {award} {points}. The return of goods for {part} takes back ' +
      '{taken} {points}; the return of the rest takes back {rest}.',
    '消费{amount}获得{award}{points}。退回{part}的商品，扣回{taken}{points}；再退回其余商品，扣回{rest}{points}。',
    '消費{amount}賺取{award}{points}。退回{part}的貨品，扣回{taken}{points}；再退回其餘貨品，扣回{rest}{points}。',
    '消費{amount}累積{points}{award}點。退回{part}的商品，扣回{taken}點；再退回其餘商品，扣回{rest}點。',
  ),
  debt: words(
    'If these {points} are spent already, the balance falls below zero. The next ' +
      '{points} repay it first.',
    '若这些{points}已使用，余额可为负数，之后获得的{points}将先用于抵还。',
    '若這些{points}已使用，結餘可為負數，之後賺取的{points}將先用於抵還。',
    '若這些{points}已使用，餘額可為負數，之後累積的{points}將先用於抵還。',
  ),
  clamp: words(
    'If these {points} are spent already, only the {points} that are left are taken back.',
    '若这些{points}已使用，则仅扣回剩余的{points}。',
    '若這些{points}已使用，則只扣回餘下的{points}。',
    '若這些{points}已使用，則僅扣回剩餘的{points}。',
  ),
  paidBack: words(
    '{Points} that paid for the returned goods are given back in proportion, ' +
      'with their own expiry.',
    '退货时，按比例退还用于支付的{points}，有效期不变。',
    '退貨時，按比例退還用於支付的{points}，有效期不變。',
    '退貨時，依比例退還用於折抵的{points}，有效期限不變。',
  ),
  paidKept: words(
    '{Points} that paid for the returned goods are not given back.',
    '退货时，不退还用于支付的{points}。',
    '退貨時，不退還用於支付的{points}。',
    '退貨時，不退還用於折抵的{points}。',
  ),
  grace: words(
    'Those that have expired meanwhile can be used for another {days} days.',
    '其间已到期者，可再使用{days}天。',
    '其間已到期者，可再使用{days}天。',
    '期間已到期者，可再使用{days}天。',
  ),
  lapse: words(
    'Those that have expired meanwhile lapse at once.',
    '其间已到期者，随即失效。',
    '其間已到期者，隨即失效。',
    '期間已到期者，立即失效。',
  ),
  tierFalls: words(
    'A tier that was reached by a returned sale is lost with the return.',
    '因所退消费达到的等级，随退货取消。',
    '因所退消費達到的級別，隨退貨取消。',
    '因所退消費達到的等級，隨退貨取消。',
  ),
  tierKept: words(
    'A tier that was reached by a returned sale is kept until its end.',
    '因所退消费达到的等级，保留至期满。',
    '因所退消費達到的級別，保留至期滿。',
    '因所退消費達到的等級，保留至期滿。',
  ),
  couponBack: words(
    'A sale that is returned completely gives its coupons back.',
    '整单退货时，退还所用优惠券。',
    '整單退貨時，退還所用優惠券。',
    '整筆退貨時，退還所用優惠券。',
  ),
  couponKept: words(
    'Coupons of a returned sale are not given back.',
    '退货时不退还已用优惠券。',
    '退貨時不退還已用優惠券。',
    '退貨時不退還已用優惠券。',
  ),
  tiers: words('Tiers', '等级', '級別', '等級'),
  tierHead: words('Tier', '等级', '級別', '等級'),
  reachHead: words('Reached by spending', '升级消费', '升級消費', '升等消費'),
  renewHead: words('Kept by spending', '保级消费', '續會消費', '續會消費'),
  earnHead: words(
    '{Points} for a sale of {amount}',
    '消费{amount}所得{points}',
    '消費{amount}所得{points}',
    '消費{amount}所得{points}',
  ),
  rolling: words(
    'The spending of the last 12 months counts.',
    '按最近12个月的消费计算。',
    '按過去12個月的消費計算。',
    '依近12個月的消費計算。',
  ),
  calendar: words(
    'The spending of the calendar year counts.',
    '按自然年的消费计算。',
    '按曆年的消費計算。',
    '依曆年的消費計算。',
  ),
  validity: words(
    'A tier lasts {months} months, to the end of that month. Reached on {day}, it lasts ' +
      'until {last}.',
    '等级有效期{months}个月，至当月月末。{day}达到的等级有效至{last}。',
    '級別有效期{months}個月，至當月月底。{day}達到的級別有效至{last}。',
    '等級有效期{months}個月，至當月月底。{day}達到的等級有效至{last}。',
  ),
  forever: words('A tier does not end.', '等级永久有效。', '級別永久有效。', '等級永久有效。'),
  endExample: words(
    'A member of the tier {tier} who spent {spent} in that time then has the tier {next}.',
    '等级为{tier}、期内消费{spent}者，到期后为{next}。',
    '級別為{tier}、期內消費{spent}者，到期後為{next}。',
    '等級為{tier}、期內消費{spent}者，到期後為{next}。',
  ),
  limits: words('Limits', '限制', '限制', '限制'),
  undo: words(
    'A store can undo a redemption within {minutes} minutes.',
    '门店可在{minutes}分钟内撤销核销或兑换。',
    '使用優惠券或換領後，分店可於{minutes}分鐘內還原。',
    '核銷優惠券或兌換後，門市可於{minutes}分鐘內復原。',
  ),
  day: words(
    'A day begins and ends at midnight in the time zone {zone}.',
    '每日以{zone}时区的零时为界。',
    '每日以{zone}時區的零時為界。',
    '每日以{zone}時區的零時為界。',
  ),
}
