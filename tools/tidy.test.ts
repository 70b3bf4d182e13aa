// The coding rules, by subject. They are one test file, so that one run checks them all.
import './tidy/fields.ts'
import './tidy/imports.ts'
import './tidy/map.ts'
import './tidy/prose.ts'
import './tidy/size.ts'
import './tidy/tables.ts'
import './tidy/words.ts'
