%% The constants of the C API that name operand and operation types.
#ifndef NNCERT_NN_API_CONSTANTS_H_
#define NNCERT_NN_API_CONSTANTS_H_

/** What an operand holds. */
typedef enum {
%insert Operand_1.0
%insert Operand_1.2
} OperandCode;

/** What an operation computes. */
typedef enum {
%insert Operation_1.0

%insert Operation_1.1

%insert Operation_1.2
} OperationCode;

/** The function that an operation applies to its result before it stores it. */
typedef enum {
    /** None. */
    ANEURALNETWORKS_FUSED_NONE = 0,
    /** max(0, x). */
    ANEURALNETWORKS_FUSED_RELU = 1,
    /** min(1, max(-1, x)). */
    ANEURALNETWORKS_FUSED_RELU1 = 2,
    /** min(6, max(0, x)). */
    ANEURALNETWORKS_FUSED_RELU6 = 3,
} FuseCode;

/** How an operation pads images by itself. */
typedef enum {
    /** As much as gives an output of the input's size divided by the stride, rounded up. */
    ANEURALNETWORKS_PADDING_SAME = 1,
    /** Not at all. */
    ANEURALNETWORKS_PADDING_VALID = 2,
} PaddingCode;

#endif  // NNCERT_NN_API_CONSTANTS_H_
