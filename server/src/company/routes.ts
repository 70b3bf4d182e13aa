import {
  getByCodes,
  getCustomRegisterConfig,
  getCustomTheme,
  getDictionary,
  getOtherConfig,
  getSupportedLanguages,
  listStores,
} from '@tillside/contract/company'
import { servePublic, serveReading } from '../http/serve.ts'
import { readByCodes } from './codes.ts'
import { readLanguages, readOtherConfig } from './config.ts'
import { readDictionary } from './dictionary.ts'
import { readRegisterConfig } from './register.ts'
import { readStoreList } from './stores.ts'
import { readTheme } from './theme.ts'

export const companyRoutes = [
  servePublic(getCustomTheme, readTheme),
  serveReading(getSupportedLanguages, readLanguages),
  serveReading(getOtherConfig, readOtherConfig),
  serveReading(getDictionary, readDictionary),
  serveReading(getByCodes, readByCodes),
  serveReading(getCustomRegisterConfig, readRegisterConfig),
  serveReading(listStores, readStoreList),
]
