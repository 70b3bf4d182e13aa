import { getRuleBook } from '@tillside/contract/rule-book'
import { serve } from '../../http/serve.ts'
import { readRuleBook } from './read.ts'

export const ruleRoutes = [serve(getRuleBook, readRuleBook, { readOnly: true })]
