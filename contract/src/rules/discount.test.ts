import { describe, expect, test } from 'vitest'
import { languages } from '../wire/language.ts'
import { discountText } from './discount.ts'

describe('a discount as a customer reads it', () => {
  test.each([
    ['20', ['20% off', '八折', '8 折', '8 折']],
    ['20.00', ['20% off', '八折', '8 折', '8 折']],
    ['50', ['50% off', '五折', '半價', '5 折']],
    ['15', ['15% off', '八五折', '85 折', '85 折']],
    ['12', ['12% off', '八八折', '88 折', '88 折']],
    ['10', ['10% off', '九折', '9 折', '9 折']],
    ['5', ['5% off', '九五折', '95 折', '95 折']],
    ['12.5', ['12.5% off', '8.75折', '8.75 折', '8.75 折']],
    ['90', ['90% off', '一折', '1 折', '1 折']],
    ['95', ['95% off', '0.5折', '0.5 折', '0.5 折']],
    ['99.99', ['99.99% off', '0.001折', '0.001 折', '0.001 折']],
    ['100', ['Free', '免费', '免費', '免費']],
  ])('%s percent', (percent, texts) => {
    expect(languages.map((language) => discountText(percent, language))).toEqual(texts)
  })

  test.each(['0', '0.00', '-5', '', 'x'])('%j is no discount', (percent) => {
    for (const language of languages) expect(discountText(percent, language)).toBeNull()
  })
})
