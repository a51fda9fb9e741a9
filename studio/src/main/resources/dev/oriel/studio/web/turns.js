// Answers come late and in any order: which one is still wanted, and changes one after another.

/**
 * For questions whose answers are drawn in one place. A call stands for a question; what it returns tells whether its
 * answer is still the one to draw, which ends with the next question.
 */
export function newest() {
  let asked = 0;
  return () => {
    const mine = ++asked;
    return () => mine === asked;
  };
}

/** For changes whose order matters: each begins when the one before it has ended, well or not. */
export function inTurn() {
  let last = Promise.resolve();
  return (change) => {
    const done = last.then(change);
    last = done.catch(() => {}); // its caller is told
    return done;
  };
}
