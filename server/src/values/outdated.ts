/** What a transaction has read has changed meanwhile. It is rolled back and run again. */
export class Outdated extends Error {}
