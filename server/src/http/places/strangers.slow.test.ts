import { testFloods } from '../../testing/hostile/strangers.ts'

// strangers.long.test.ts has all calls and addresses, and nginx.
testFloods({ from: '500 addresses' }, ['the login', 'a staff call with an unknown token'])
