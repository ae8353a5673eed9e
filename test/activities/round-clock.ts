/** A clock of a round that is over after so many questions. */
export function clockOf(questions: number) {
  let asked = 0;
  return {
    isOver: () => {
      asked += 1;
      return asked > questions;
    },
  };
}

export const ENDLESS = clockOf(Number.POSITIVE_INFINITY);
