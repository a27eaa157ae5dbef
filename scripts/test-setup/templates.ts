/** Runs once before the test workers. */
export default function setup() {}
