import { testFloods } from '../../testing/hostile/strangers.ts'

// strangers.long.test.ts has all calls and addresses.
testFloods({ from: '500 addresses' }, [
  'the login',
  'the theme',
  'a staff call with an unknown token',
])
testFloods({ from: 'one address', isBehindNginx: true }, ['the login', 'the login by link'])
