import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { defaultLanguage, languages } from '@tillside/contract/wire/language'

export default defineConfig({
  sourceLocale: defaultLanguage,
  locales: [...languages],
  catalogs: [{ path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'] }],
  format: formatter({ explicitIdAsDefault: true, origins: false, lineNumbers: false }),
})
