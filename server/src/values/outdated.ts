/** A transaction has read data that changed meanwhile. It is rolled back and run again. */
export class Outdated extends Error {}
