/** Everything that the demo city takes from the rest of the repository. */
export { chooseWording } from '#db/program-files.ts'
