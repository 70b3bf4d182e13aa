import { testFloods } from '../../testing/hostile/strangers.ts'

// strangers.long.test.ts has all calls and addresses.
testFloods('500 addresses', ['the login', 'the theme', 'a staff call with an unknown token'])
testFloods('one address', ['the login', 'the login by link'], true)
