// Takes the place of a dependency that a bundled library imports but never uses.
export default undefined;
