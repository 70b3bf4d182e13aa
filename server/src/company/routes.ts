import {
  getByCodes,
  getCustomRegisterConfig,
  getCustomTheme,
  getDictionary,
  getOtherConfig,
  getSupportedLanguages,
  listStores,
} from '@tillside/contract/company'
import { serve, servePublic } from '../http/serve.ts'
import { readByCodes } from './codes.ts'
import { readLanguages, readOtherConfig } from './config.ts'
import { readDictionary } from './dictionary/dictionary.ts'
import { readRegisterConfig } from './register.ts'
import { readStoreList } from './stores.ts'
import { readTheme } from './theme.ts'

export const companyRoutes = [
  servePublic(getCustomTheme, readTheme),
  serve(getSupportedLanguages, readLanguages, { readOnly: true }),
  serve(getOtherConfig, readOtherConfig, { readOnly: true }),
  serve(getDictionary, readDictionary, { readOnly: true }),
  serve(getByCodes, readByCodes, { readOnly: true }),
  serve(getCustomRegisterConfig, readRegisterConfig, { readOnly: true }),
  serve(listStores, readStoreList, { readOnly: true }),
]
