/** Ends a run with one line that any machine can read. */
export default class PlainSummaryReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numFailedTestSuites, numRuntimeErrorTestSuites }) {
    const failed = Math.max(numFailedTests, numFailedTests + numRuntimeErrorTestSuites, numFailedTestSuites);
    console.log(`\n${numPassedTests} passed, ${failed} failed`);
  }
}
